"""A scripted OpenID provider on 127.0.0.1: it says of whoever comes what a test wants it to say."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "studio", "canary-client-secret"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class Provider:
    """`person` is what it knows of who signs in, `token` what it says differently in ID tokens."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    token: dict[str, Any] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def authorise(self, url: str) -> str:
        """What the person's browser brings back from the provider: the code and the state."""
        parts = urlsplit(url)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.url}/authorize"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = query["code_challenge"]
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        self.asked.append(path)
        match path:
            case "/.well-known/openid-configuration":
                return 200, {
                    "issuer": self.url,
                    "authorization_endpoint": f"{self.url}/authorize",
                    "token_endpoint": f"{self.url}/token",
                    "userinfo_endpoint": f"{self.url}/userinfo",
                    "jwks_uri": f"{self.url}/keys",
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                }
            case "/keys":
                key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
                return 200, {"keys": [{**key, "kid": "1", "use": "sig", "alg": "RS256"}]}
            case "/token":
                return self.tokens(form)
            case "/userinfo":
                return 200, self.person
        return 404, {}

    def tokens(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
        # A code is for whoever began the sign-in, and for one use.
        if form.get("client_secret") != SECRET or self.codes.pop(form["code"], "") != challenge:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60, **self.person}
        token = jwt.encode({**claims, **self.token}, KEY, "RS256", headers={"kid": "1"})
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": token}


@contextmanager
def running() -> Iterator[Provider]:
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/authorize?"):
                # Whoever comes is known, and sent back at once.
                self.send_response(302)
                self.send_header("Location", provider.authorise(provider.url + self.path))
                self.end_headers()
            else:
                self.reply({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.reply({name: values[0] for name, values in parse_qs(body).items()})

        def reply(self, form: dict[str, str]) -> None:
            code, told = provider.answer(urlsplit(self.path).path, form)
            body = json.dumps(told).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.url = f"http://127.0.0.1:{server.server_address[1]}"
        Thread(target=server.serve_forever, daemon=True).start()
        yield provider
        server.shutdown()
