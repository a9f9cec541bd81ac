// npm run validate: format, lint, types, import rules, structure, dead code. Runs all of them, then says which failed.
import { checkNode, installDependencies, runTool } from './set-up.mjs'

/** @typedef {[name: string, file: string, args: string[]]} Check */

/** @type {Check} what it writes is read by others */
const first = ['route types', '@react-router/dev/bin.js', ['typegen']]
/** @type {Check[][]} two rows side by side: the types take about as long as all the others */
const rows = [
  [['types', 'typescript-native/bin/tsc', ['-b', '--singleThreaded']]],
  [
    ['format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
    [
      'import rules',
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ['--config', '.dependency-cruiser.cjs', 'src', 'tests', 'bench', 'scripts'],
    ],
    ['structure', '../scripts/check-structure.mjs', []],
    ['dead code', 'knip/bin/knip.js', []],
  ],
]

// Collecting the native compiler's garbage would be a third of its work: only above what the check takes at most.
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' }

checkNode()
await installDependencies()
/** @type {string[]} */
const failed = []

/** @param {Check} check */
async function run([name, file, args]) {
  const start = performance.now()
  if ((await runTool(file, args, { env })) !== 0) failed.push(name)
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s\n`)
}

await run(first)
await Promise.all(
  rows.map(async (checks) => {
    for (const check of checks) await run(check)
  }),
)
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
