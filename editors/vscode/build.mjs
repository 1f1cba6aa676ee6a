// One file of the extension and what it needs, and beside it the licences of that.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(path.dirname(fileURLToPath(import.meta.url)));
const { metafile } = await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  external: ["vscode"],
  logLevel: "warning",
  metafile: true,
  minify: true,
  platform: "node",
  target: "node18",
});
const inside = Object.keys(metafile.inputs).map((name) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]).filter(Boolean);
const licences = [...new Set(inside)].sort().map((folder) => {
  const name = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!name) throw new Error(`${folder} has no licence`);
  return `${folder.replace(/^.*node_modules\//, "")}\n\n${fs.readFileSync(path.join(folder, name), "utf8").trim()}\n`;
});
fs.writeFileSync("dist/LICENSES.txt", licences.join("\n\n"));
fs.copyFileSync("../../LICENSE", "LICENSE");
