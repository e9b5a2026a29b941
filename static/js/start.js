import { composers } from "./composer.js";

composers();
