import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import packageJson from './package.json' with { type: 'json' }

// Chunks follow the entry points, in a few files instead of dozens: small files compress badly and each costs a request
// (decision 040). The first that fits takes a module, and what it imports.
const sharedChunks = [
  { name: 'core', test: /node_modules\/(react|react-dom|scheduler|react-router)\/|vite\/preload-helper/ },
  { name: 'zod', test: /node_modules\/zod\// },
  // What every page loads, what home shares with pages of content, and what the login shares.
  shared(
    'frame',
    ({ pages }) => pages.has('root') || pages.has('public-layout') || (pages.has('home') && hasForm(pages)),
  ),
  shared('content', ({ pages }) => pages.has('home') && pages.size > 1),
  // What home shares only with parts that are loaded later.
  shared('opening', ({ pages, parts }) => pages.has('home') && parts.size > 1),
  shared('controls', ({ pages }) => pages.has('login') && pages.size > 1),
  shared('calls', ({ pages }) => pages.has('announcements') && pages.has('statistics')),
  // The rest of public pages by who loads it: no chunk of the administration takes it along.
  { ...shared('shared', ({ pages }) => pages.size > 1 && countPublic(pages) > 0), entriesAware: true },
  // What public pages load later at most.
  shared('common', isOfLaterPage('admin', 'dashboard-tab')),
  shared('rules', isOfLaterPage('students-tab')),
  // The frame of the administration, and what its first screens share with others.
  shared('office', ({ parts }) => parts.has('admin')),
  shared('screens', ({ parts }) => parts.has('dashboard-tab') && parts.size > 1),
  shared('lists', ({ parts }) => parts.has('students-tab') && parts.size > 1),
  // Last: a form needs the question before input is lost, which lists have too.
  { name: 'form', test: /node_modules\/(react-hook-form|@hookform)\/|components\/form\.tsx/ },
]

/**
 * Changes a package in the build for the browser or the server. After an update of the package that leaves nothing to
 * change, the build fails.
 */
function changed(
  [name, environment]: [name: string, environment: 'client' | 'ssr'],
  id: RegExp,
  change: (code: string) => string,
): Plugin {
  let isChanged = false
  return {
    name,
    apply: 'build',
    applyToEnvironment: (built) => built.name === environment,
    transform: {
      filter: { id },
      handler(code) {
        const result = change(code)
        isChanged ||= result !== code
        return result
      },
    },
    buildEnd(error) {
      if (!error && !isChanged) throw new Error(`${name} found nothing to change`)
    },
  }
}

/** React Router publishes a build without development warnings, but its package leads to the other one. */
const productionRouter = changed(
  ['production-router', 'client'],
  /react-router\/dist\/development\//,
  (code) => code.replace('var ENABLE_DEV_WARNINGS = true', 'var ENABLE_DEV_WARNINGS = false'),
)

/** A screen whose script can't be loaded offline shows our page of failures; a reload would show the browser's. */
const failuresOffline = changed(['failures-offline', 'client'], /react-router\/dist\/development\//, (code) =>
  code.replace(/(?<=reloading page[^}]+?)if \(/, 'if (!navigator.onLine) throw error;\n    if ('),
)

/** Imports each icon from its own file: through the index of all icons it can't be seen who uses which. */
const iconFiles: Plugin = {
  name: 'icon-files',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /src\/web\//, code: /lucide-react/ },
    handler: (code) =>
      code.replace(/import \{([^}]+)\} from ["']lucide-react["'];?/, (_line, names: string) =>
        names
          .split(',')
          .map((name) => name.trim().split(' as '))
          .map(([name = '', local = name]) => `import ${local} from 'lucide-react/icons/${fileOfIcon(name)}'`)
          .join('\n'),
      ),
  },
}

const iconIndex = readFileSync('node_modules/lucide-react/dist/esm/lucide-react.mjs', 'utf8')

function fileOfIcon(name: string): string {
  const file = new RegExp(`default as ${name}[ ,].*'./icons/(.+)\\.mjs'`).exec(iconIndex)?.[1]
  if (file === undefined) throw new Error(`there is no icon ${name}`)
  return file
}

/** Who needs a module, by names of files. */
interface Users {
  pages: ReadonlySet<string>
  /** Also the parts of pages that are loaded by themselves, as the administration's tabs are. */
  parts: ReadonlySet<string>
  /** Also the pages that load it later. */
  laterPages: ReadonlySet<string>
}

/** A chunk for the modules whose users pass a test. */
function shared(name: string, isFor: (users: Users) => boolean) {
  return {
    name: (id: string, modules: Rolldown.ChunkingContext) => (isFor(usersOf(id, modules)) ? name : null),
  }
}

function usersOf(id: string, modules: Rolldown.ChunkingContext): Users {
  const atOnce = importersOf(id, modules, ({ importers }) => importers)
  const later = importersOf(id, modules, ({ importers, dynamicImporters }) => [
    ...importers,
    ...dynamicImporters,
  ])
  const isPage = ({ isEntry }: Rolldown.ModuleInfo) => isEntry
  return {
    pages: namesOf(atOnce.filter(isPage)),
    parts: namesOf(atOnce.filter((module) => module.isEntry || module.dynamicImporters.length > 0)),
    laterPages: namesOf(later.filter(isPage)),
  }
}

function importersOf(
  id: string,
  modules: Rolldown.ChunkingContext,
  next: (module: Rolldown.ModuleInfo) => readonly string[],
): Rolldown.ModuleInfo[] {
  const ids = new Set([id])
  const found: Rolldown.ModuleInfo[] = []
  for (const reached of ids) {
    const module = modules.getModuleInfo(reached)
    if (!module) continue
    found.push(module)
    for (const importer of next(module)) ids.add(importer)
  }
  return found
}

function namesOf(modules: readonly Rolldown.ModuleInfo[]): Set<string> {
  return new Set(modules.map(({ id }) => /([\w-]+)\.tsx/.exec(id)?.[1] ?? id))
}

function hasForm(pages: ReadonlySet<string>): boolean {
  return pages.has('register') || pages.has('login')
}

const officePage =
  /^(admin|statistics|email-test|server-test|dashboard|help|poster|first-password|redirect-home)/

function countPublic(pages: ReadonlySet<string>): number {
  return [...pages].filter((page) => !officePage.test(page)).length
}

function isOfLaterPage(...screens: string[]) {
  return ({ parts, laterPages }: Users) =>
    countPublic(laterPages) > 0 && screens.some((screen) => parts.has(screen))
}

/** The form's service worker as one file, with the scripts of the form that its page doesn't name. */
const offlineWorker: Plugin = {
  name: 'offline-worker',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  buildStart() {
    this.emitFile({ type: 'chunk', id: './src/worker/offline-form.ts', fileName: 'sw.js' })
  },
  generateBundle(_options, bundle) {
    const worker = bundle['sw.js']
    if (worker?.type !== 'chunk') throw new Error('the build has no service worker')
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const needed = new Set(
      chunks.filter(({ facadeModuleId }) => facadeModuleId?.includes('/pages/register.tsx')),
    )
    for (const { imports, dynamicImports, moduleIds } of needed) {
      const isOfForm = moduleIds.some((id) => id.includes('/features/registration/'))
      const next = isOfForm ? [...imports, ...dynamicImports] : imports
      for (const chunk of chunks) if (next.includes(chunk.fileName)) needed.add(chunk)
    }
    const version = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 8)
    const scripts = [...needed].map(({ fileName }) => `/${fileName}`)
    worker.code = `const builtForm=${JSON.stringify({ version, scripts })};${worker.code}`
  },
}

/** The library adds a style element, which the Content-Security-Policy refuses; chart-viewport.tsx styles it instead. */
const withoutInjectedStyles = changed(
  ['without-injected-styles', 'client'],
  /\/react-zoom-pan-pinch\//,
  (code) => code.replace('styleInject(css_248z);', ''),
)

/** The form's module imports it for the browser; the server, which has the module too, would parse half a megabyte. */
const withoutBrowserReact = changed(
  ['without-browser-react', 'ssr'],
  /\/react-dom\/client\.js$/,
  () => 'module.exports = {}',
)

/** zip files with Node's checksum, which takes a twentieth of the time of the one in JavaScript. */
const nativeChecksum = changed(['native-checksum', 'ssr'], /\/yazl\//, (code) =>
  code.replace('require("buffer-crc32")', '{ unsigned: zlib.crc32 }'),
)

/** With pieces of 16 kB, as usual, zlib's threads are called four times as often. */
const largerPieces = changed(['larger-pieces', 'ssr'], /\/yazl\//, (code) =>
  code.replaceAll('{level:entry.compressionLevel}', '{level:entry.compressionLevel,chunkSize:131072}'),
)

/**
 * React keeps the page that it renders in an AsyncLocalStorage, for hints from asynchronous code, which no page of ours
 * gives. The first page would make every promise of the process slower until its end.
 */
const withoutAsyncHooks = changed(['without-async-hooks', 'ssr'], /\/react-dom-server\.node\./, (code) =>
  code.replace(
    'new async_hooks.AsyncLocalStorage()',
    '{ run: (_, work, ...given) => work(...given), getStore() {} }',
  ),
)

// The whole server (API, pages, command-line tools) is one module graph, so that React Router's context
// keys exist once. It contains its packages, which halves the start. Only package.json's `dependencies`, which have
// binaries or files of their own, come from node_modules.
export default defineConfig(({ command }) => {
  const isBuild = command === 'build'
  return {
    plugins: [
      productionRouter,
      failuresOffline,
      iconFiles,
      tailwindcss(),
      reactRouter(),
      withoutInjectedStyles,
      nativeChecksum,
      largerPieces,
      withoutAsyncHooks,
      withoutBrowserReact,
      offlineWorker,
    ],
    optimizeDeps: { entries: ['./src/web/**/*.{ts,tsx}'] },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              codeSplitting: { groups: sharedChunks },
              // Without the names of the entries that Rolldown adds.
              chunkFileNames: ({ name }) => `assets/${name.split('~', 1)}-[hash].js`,
            },
          },
        },
      },
      ssr: {
        // Otherwise React's development build is part of it too.
        define: isBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
        resolve: isBuild
          ? { noExternal: true, external: Object.keys(packageJson.dependencies) }
          : // Written for bundlers: Node can't resolve its modules by themselves.
            { noExternal: [/^@atlaskit\//, 'bind-event-listener', 'raf-schd', /^@babel\/runtime\//] },
        build: {
          rollupOptions: {
            input: {
              index: './src/server/main.ts',
              'export-worker': './src/server/export-worker.ts',
              admin: './src/server/cli/admin.ts',
              backup: './src/server/cli/backup.ts',
              restore: './src/server/cli/restore.ts',
            },
          },
        },
      },
    },
  }
})
