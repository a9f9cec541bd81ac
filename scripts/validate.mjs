// npm run validate: format, lint, types, import rules, structure, dead code. Runs all of them, then says which failed.
import { checkNode, installDependencies, runTool } from './set-up.mjs'

/** @type {[name: string, file: string, args: string[]][]} */
const checks = [
  ['format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['route types', '@react-router/dev/bin.js', ['typegen']],
  ['types', 'typescript/bin/tsc', ['-b']],
  [
    'import rules',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ['--config', '.dependency-cruiser.cjs', 'src', 'tests', 'bench', 'scripts'],
  ],
  ['structure', '../scripts/check-structure.mjs', []],
  ['dead code', 'knip/bin/knip.js', []],
]

checkNode()
await installDependencies()
const failed = []
for (const [name, file, args] of checks) {
  console.log(`\n${name}`)
  if ((await runTool(file, args)) !== 0) failed.push(name)
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
