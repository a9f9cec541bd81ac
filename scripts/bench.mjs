// npm run bench: measures the built product and a reference server, and writes the figures into the file of this release
// in bench/history.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildProduct, serverEntry } from './product-build.mjs'
import { checkNode, installDependencies, root, run } from './set-up.mjs'

checkNode()
process.chdir(root)
await installDependencies()
await buildProduct()
const outDir = join(root, '.cache', 'bench')
const { build } = await import('vite')
await build({
  root,
  // The product's configuration is for pages.
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: [
        'bench/run.ts',
        'bench/reference-server.ts',
        'bench/same-bytes-server.ts',
        'bench/mail-sender.ts',
      ],
    },
  },
})
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
process.exitCode = await run(process.execPath, [
  join(outDir, 'run.js'),
  serverEntry,
  join(root, 'bench', 'history', `${version}.md`),
  ...process.argv.slice(2),
])
