// What the browser tests need of the system: Chromium, and poppler to read printed pages.
import { findChromium } from './chromium.mjs'
import { findProgram } from './find-program.mjs'
import { fail, run } from './set-up.mjs'

const tools = [
  { find: findChromium, packages: ['chromium', 'fonts-liberation'] },
  { find: () => findProgram(['pdftotext']), packages: ['poppler-utils'] },
]

/** Installs the missing ones from Debian where that is possible, else ends with a sentence. */
export async function installTestTools() {
  const packages = tools.filter(({ find }) => find() === undefined).flatMap((tool) => tool.packages)
  if (packages.length === 0) return
  const command = `apt-get install ${packages.join(' ')}`
  if (!findProgram(['apt-get']) || process.getuid?.() !== 0) {
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
