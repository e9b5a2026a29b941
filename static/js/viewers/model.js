// A 3D model that one turns with mouse, fingers and keys. Its library is fetched here only.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { fill, number } from "../words.js";
import { onKeys, part, press, tool } from "./parts.js";
import { Trouble } from "./trouble.js";

const TURN = Math.PI / 18;
const NEARER = 1.15;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export async function show(viewer) {
  const room = part(viewer, "model");
  const model = await load(viewer.dataset);
  const stage = new Stage(room, model);
  part(viewer, "wait").remove();
  room.querySelector(".model-poster")?.remove();
  const facts = part(viewer, "facts");
  facts.textContent = fill(facts.dataset.triangles, { count: number(triangles(model)) });
  const wires = () => press(tool("wires"), stage.wires());
  const spin = () => press(tool("spin"), stage.spin());
  tool("wires").addEventListener("click", wires);
  tool("spin").addEventListener("click", spin);
  tool("reset").addEventListener("click", () => stage.reset());
  onKeys({
    ArrowLeft: () => stage.turn(-TURN, 0),
    ArrowRight: () => stage.turn(TURN, 0),
    ArrowUp: () => stage.turn(0, -TURN),
    ArrowDown: () => stage.turn(0, TURN),
    "+": () => stage.near(1 / NEARER),
    "=": () => stage.near(1 / NEARER),
    "-": () => stage.near(NEARER),
    0: () => stage.reset(),
    w: wires,
    " ": spin,
  });
  if (!calm.matches) spin();
  addEventListener("pagehide", ({ persisted }) => persisted || stage.close());
}

/** The model in a file by the ending of its name; what it refers to lies beside it. */
async function load({ url, name }) {
  const ending = name.split(".").pop().toLowerCase();
  if (ending === "stl") {
    const { STLLoader } = await import("three/addons/loaders/STLLoader.js");
    return new three.Mesh(await new STLLoader().loadAsync(url), plain());
  }
  if (ending === "obj") {
    const { OBJLoader } = await import("three/addons/loaders/OBJLoader.js");
    const loader = new OBJLoader();
    const content = await new three.FileLoader().loadAsync(url);
    const library = /^mtllib\s+(.+?)\s*$/m.exec(content)?.[1];
    const materials = library && (await materialsOf(new URL(library, url).href));
    if (materials) loader.setMaterials(materials);
    const model = loader.parse(content);
    if (!materials) model.traverse((item) => item.isMesh && (item.material = plain()));
    return model;
  }
  const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
  return (await new GLTFLoader().loadAsync(url)).scene;
}

async function materialsOf(url) {
  const { MTLLoader } = await import("three/addons/loaders/MTLLoader.js");
  try {
    const materials = await new MTLLoader().loadAsync(url);
    materials.preload();
    return materials;
  } catch (error) {
    console.info(error);
    return null;
  }
}

const plain = () => new three.MeshStandardMaterial({ color: 0x9fb0d8, roughness: 0.6, metalness: 0.05, side: three.DoubleSide });

function triangles(model) {
  let count = 0;
  model.traverse(({ geometry }) => {
    if (geometry) count += (geometry.index?.count ?? geometry.attributes.position?.count ?? 0) / 3;
  });
  return Math.round(count);
}

function renderer() {
  try {
    return new three.WebGLRenderer({ antialias: true, alpha: true });
  } catch (cause) {
    throw new Trouble("no-3d", { cause });
  }
}

class Stage {
  constructor(room, model) {
    this.room = room;
    this.model = model;
    this.renderer = renderer();
    this.renderer.toneMapping = three.ACESFilmicToneMapping;
    this.camera = new three.PerspectiveCamera(40, 1, 0.01, 100);
    this.orbit = new OrbitControls(this.camera, this.renderer.domElement);
    this.orbit.enableDamping = !calm.matches;
    this.scene = this.lit(new three.Scene());
    this.holder = new three.Group();
    this.holder.add(model);
    this.scene.add(this.holder);
    this.centre();
    this.reset();
    this.room.append(this.renderer.domElement);
    this.watching = new ResizeObserver(() => this.resize());
    this.watching.observe(room);
    this.renderer.setAnimationLoop(() => {
      this.orbit.update();
      this.renderer.render(this.scene, this.camera);
    });
  }

  lit(scene) {
    const maker = new three.PMREMGenerator(this.renderer);
    scene.environment = maker.fromScene(new RoomEnvironment(), 0.04).texture;
    maker.dispose();
    const sun = new three.DirectionalLight(0xffffff, 1.2);
    sun.position.set(2, 4, 3);
    scene.add(sun);
    return scene;
  }

  /** The model in the middle, as large as everything else expects. */
  centre() {
    const box = new three.Box3().setFromObject(this.model);
    if (box.isEmpty()) throw new Error("There is nothing to see in this model");
    const sphere = box.getBoundingSphere(new three.Sphere());
    this.model.position.sub(sphere.center);
    this.holder.scale.setScalar(1 / (sphere.radius || 1));
  }

  reset() {
    this.camera.position.set(1.9, 1.3, 2.6);
    this.orbit.target.set(0, 0, 0);
    this.orbit.update();
  }

  /** Around the model by angles in radians, and never over its poles. */
  turn(around, over) {
    const place = new three.Spherical().setFromVector3(this.camera.position.clone().sub(this.orbit.target));
    place.theta += around;
    place.phi += over;
    place.makeSafe();
    this.camera.position.setFromSpherical(place).add(this.orbit.target);
  }

  near(factor) {
    this.camera.position.sub(this.orbit.target).multiplyScalar(factor).add(this.orbit.target);
  }

  /** Both switch, and say whether it is on now. */
  spin() {
    this.orbit.autoRotate = !this.orbit.autoRotate;
    return this.orbit.autoRotate;
  }

  wires() {
    this.asWires = !this.asWires;
    this.materials().forEach((material) => (material.wireframe = this.asWires));
    return this.asWires;
  }

  materials() {
    const found = new Set();
    this.model.traverse(({ material }) => [material ?? []].flat().forEach((each) => found.add(each)));
    return found;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.room;
    this.camera.aspect = width / (height || 1);
    this.camera.fov = width < height ? 55 : 40;
    this.camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height);
  }

  close() {
    this.watching.disconnect();
    this.orbit.dispose();
    this.model.traverse(({ geometry }) => geometry?.dispose());
    this.materials().forEach((material) => material.dispose());
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
