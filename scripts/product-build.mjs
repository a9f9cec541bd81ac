// Builds the product and checks whether the build is current.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { precompress } from './precompress.mjs'
import { checkNode, fail, installDependencies, root, runTool } from './set-up.mjs'

const buildDir = join(root, 'build')
/** The hash of the build's sources. Written last, so that an incomplete build doesn't count. */
const stampFile = join(buildDir, 'sources.sha256')
const sources = [
  'package.json',
  'package-lock.json',
  'react-router.config.ts',
  'vite.config.ts',
  'tsconfig.base.json',
  'src',
  'public',
  'scripts/product-build.mjs',
  'scripts/precompress.mjs',
  'scripts/check-browsers.mjs',
  'scripts/newer-functions.mjs',
  'scripts/newer-rules.mjs',
]

export const serverEntry = join(buildDir, 'server', 'index.js')

/**
 * Installs and builds what is missing and runs a program of the product in this process, with this process's arguments.
 * @param {'index' | 'admin' | 'backup' | 'restore'} program
 */
export async function runProgram(program) {
  checkNode()
  // Relative folders such as ./data are relative to the repository.
  process.chdir(root)
  const production = isBuilt()
  await installDependencies({ production })
  if (!production) await build()
  await import(pathToFileURL(join(buildDir, 'server', `${program}.js`)).href)
}

/** Whether the build matches the sources. Without sources any build is accepted. */
function isBuilt() {
  if (!existsSync(stampFile)) return false
  return !existsSync(join(root, 'src')) || readFileSync(stampFile, 'utf8') === hashSources()
}

/** Builds the product unless the build is current. */
export async function buildProduct() {
  if (!isBuilt()) await build()
}

async function build() {
  console.log('Building NSTP Portal…')
  const hash = hashSources()
  rmSync(stampFile, { force: true })
  // React Router's own calls of Vite print a deprecation at every build, whatever the log level.
  const code = await runTool('@react-router/dev/bin.js', ['build', '--logLevel', 'error'], {
    env: { ...process.env, NODE_ENV: 'production' },
    quiet: true,
  })
  if (code !== 0) fail('The build failed. See its output above.')
  if ((await runTool('../scripts/check-browsers.mjs', [], { quiet: true })) !== 0)
    fail('The build has what older browsers lack. See above.')
  await precompress(join(buildDir, 'client'))
  mkdirSync(buildDir, { recursive: true })
  writeFileSync(stampFile, hash)
}

function hashSources() {
  const hash = createHash('sha256')
  for (const path of sources) addToHash(hash, path)
  return hash.digest('hex')
}

/**
 * Adds a file, or the files of a folder in a fixed order. Tests aren't part of the product.
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function addToHash(hash, path) {
  const full = join(root, path)
  if (!existsSync(full) || /\.test\.tsx?$/.test(path)) return
  const entries = readFolder(full)
  if (entries) for (const name of entries.sort()) addToHash(hash, `${path}/${name}`)
  else hash.update(`${path}\0`).update(readFileSync(full)).update('\0')
}

/** @param {string} path @returns {string[] | undefined} undefined for a file */
function readFolder(path) {
  try {
    return readdirSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}
