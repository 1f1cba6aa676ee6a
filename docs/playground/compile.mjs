// Runs pack.py with the interpreter that the page has: node compile.mjs PYODIDE SOURCES.zip OUT LEVEL
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { IMPORTS } from "./start.mjs";

const [pyodide, sources, out] = process.argv.slice(2, 5).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide();
python.runPython(IMPORTS);
const loaded = python.runPython("sorted(sys.modules)");
python.FS.writeFile("/sources.zip", fs.readFileSync(sources));
python.FS.writeFile("/stdlib.zip", fs.readFileSync(path.join(pyodide, "python_stdlib.zip")));
python.runPython(fs.readFileSync(fileURLToPath(new URL("pack.py", import.meta.url)), "utf8"));
python.globals.get("main")(loaded, Number(process.argv[5]));
for (const name of ["app.bin", "stdlib.bin"]) fs.writeFileSync(path.join(out, name), python.FS.readFile(`/${name}`));
