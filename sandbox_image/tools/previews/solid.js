// Draws a model into the page's canvas; rejects when there is nothing to draw.
async function draw(name, form) {
  const Loader = { gltf: THREE.GLTFLoader, obj: THREE.OBJLoader, stl: THREE.STLLoader }[form];
  const loaded = await new Loader().loadAsync(encodeURIComponent(name));
  const plain = () => new THREE.MeshStandardMaterial({
    color: "#9db7f5", roughness: 0.55, metalness: 0.1, side: THREE.DoubleSide,
  });
  let model = loaded.scene ?? loaded;
  if (form === "stl") {
    loaded.computeVertexNormals();
    model = new THREE.Mesh(loaded, plain());
    // Those who print have their z axis upwards.
    model.rotation.x = -Math.PI / 2;
  }
  if (form === "obj") model.traverse((part) => { if (part.isMesh) part.material = plain(); });
  const box = new THREE.Box3().setFromObject(model);
  if (box.isEmpty()) throw new Error("there is nothing in it");
  const { center, radius } = box.getBoundingSphere(new THREE.Sphere());
  const canvas = document.querySelector("canvas");
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.setSize(innerWidth, innerHeight);
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  const scene = new THREE.Scene();
  scene.add(model, new THREE.HemisphereLight("#ffffff", "#4a5580", 1.6));
  for (const [x, y, z, light] of [[3, 5, 4, 2.4], [-4, 2, -3, 1]]) {
    const lamp = new THREE.DirectionalLight("#ffffff", light);
    lamp.position.set(x, y, z).multiplyScalar(radius || 1).add(center);
    lamp.target.position.copy(center);
    scene.add(lamp, lamp.target);
  }
  const camera = new THREE.PerspectiveCamera(30, innerWidth / innerHeight, radius / 100, radius * 100);
  const direction = new THREE.Vector3(0.62, 0.48, 1).normalize();
  // Far enough away that the corners of its box are inside of the picture.
  let away = (radius || 1) * 4;
  for (let step = 0; step < 4; step++) {
    camera.position.copy(direction).multiplyScalar(away).add(center);
    camera.lookAt(center);
    camera.updateMatrixWorld();
    let reach = 0;
    for (let corner = 0; corner < 8; corner++) {
      const seen = new THREE.Vector3(
        (corner & 1 ? box.max : box.min).x, (corner & 2 ? box.max : box.min).y,
        (corner & 4 ? box.max : box.min).z,
      ).project(camera);
      reach = Math.max(reach, Math.abs(seen.x), Math.abs(seen.y));
    }
    away *= reach / 0.88;
  }
  renderer.render(scene, camera);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  renderer.render(scene, camera);
  return true;
}
