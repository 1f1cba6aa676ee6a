// Compiles a folder of Python with the interpreter that will run it, so that browsers need not: node compile.mjs PYODIDE IN.zip OUT.zip
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, from, to] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(fs.readFileSync(from)), "zip", { extractDir: "/in" });
python.runPython(`
import compileall, os, py_compile, sys, zipfile

MODE = py_compile.PycInvalidationMode.UNCHECKED_HASH
if not compileall.compile_dir("/in", quiet=1, legacy=True, stripdir="/in", invalidation_mode=MODE):
    sys.exit("not compiled")
with zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for folder, folders, names in os.walk("/in"):
        folders.sort()
        for name in sorted(names):
            if not name.endswith(".py"):
                path = os.path.join(folder, name)
                entry = zipfile.ZipInfo(os.path.relpath(path, "/in"), (2020, 1, 1, 0, 0, 0))
                with open(path, "rb") as stream:
                    archive.writestr(entry, stream.read(), zipfile.ZIP_DEFLATED, 9)
`);
fs.writeFileSync(to, python.FS.readFile("/out.zip"));
