// What the browser tests need of the system: Chromium, and poppler to read printed pages.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, run } from './set-up.mjs'

const tools = [
  { names: ['chromium', 'chromium-browser', 'google-chrome'], packages: ['chromium', 'fonts-liberation'] },
  { names: ['pdftotext'], packages: ['poppler-utils'] },
]

/** Installs the missing ones from Debian where that is possible, else ends with a sentence. */
export async function installTestTools() {
  const packages = tools.filter(({ names }) => !names.some(isInPath)).flatMap((tool) => tool.packages)
  if (packages.length === 0) return
  const command = `apt-get install ${packages.join(' ')}`
  if (!isInPath('apt-get') || process.getuid?.() !== 0) {
    fail(
      `The browser tests need ${packages.join(', ')}. Install them (on Debian, as root: ${command}), or run the other tests: npm test -- --unit --faults`,
    )
  }
  console.log(`Installing ${packages.join(', ')}…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0']
  const install = ['install', '-y', '--no-install-recommends', ...quiet, ...packages]
  if ((await run('apt-get', ['update', ...quiet], env)) !== 0 || (await run('apt-get', install, env)) !== 0) {
    fail(
      `The browser tests need ${packages.join(', ')}, which could not be installed. What apt-get says is above.`,
    )
  }
}

/** @param {string} name */
function isInPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => existsSync(join(dir, name)))
}
