export * from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
export { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
export { OBJLoader } from "three/addons/loaders/OBJLoader.js";
export { STLLoader } from "three/addons/loaders/STLLoader.js";
