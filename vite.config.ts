import { createHash } from 'node:crypto'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import packageJson from './package.json' with { type: 'json' }

// Chunks follow the entry points, in a few files instead of dozens: small files compress badly and each costs a request.
const sharedChunks = [
  {
    name: 'core',
    test: /node_modules\/(react|react-dom|scheduler|react-router)\/|vite\/preload-helper/,
    priority: 4,
  },
  // What every page loads, what home shares with pages of content, and what the login shares.
  {
    name: sharedBy(
      'frame',
      (pages) => pages.has('root') || pages.has('public-layout') || (pages.has('home') && hasForm(pages)),
    ),
    priority: 3,
  },
  { name: sharedBy('content', (pages) => pages.has('home') && countPublic(pages) > 1), priority: 2 },
  { name: sharedBy('controls', (pages) => pages.has('login') && countPublic(pages) > 1), priority: 1 },
  // Also of the questions, which have no field.
  { name: 'chevron', test: /lucide-react\/.+\/chevron-down\.m?js/, priority: 1 },
  { name: 'fields', test: /components\/(password-)?field\.tsx|lucide-react\/.+\/eye(-off)?\.m?js/ },
]

/** React Router publishes a build without development warnings, but its package leads to the other one. */
const productionRouter: Plugin = {
  name: 'production-router',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /react-router\/dist\/development\// },
    handler: (code) => code.replace('var ENABLE_DEV_WARNINGS = true', 'var ENABLE_DEV_WARNINGS = false'),
  },
}

function hasForm(pages: ReadonlySet<string>): boolean {
  return pages.has('register') || pages.has('login')
}

function countPublic(pages: ReadonlySet<string>): number {
  return [...pages].filter(
    (page) => !/^(admin|statistics|email-test|server-test|dashboard|help|redirect-home)/.test(page),
  ).length
}

/** Names a chunk for the modules whose entry points, reached without a dynamic import, pass a test. */
function sharedBy(name: string, isFor: (pages: ReadonlySet<string>) => boolean) {
  return (id: string, modules: Rolldown.ChunkingContext): string | null => {
    // An index of a package imports all of it: who uses a part can't be seen here, and Rolldown places it.
    if (/node_modules/.test(id)) return null
    const reached = new Set([id])
    for (const module of reached)
      for (const importer of modules.getModuleInfo(module)?.importers ?? []) reached.add(importer)
    const entries = [...reached].filter((module) => modules.getModuleInfo(module)?.isEntry)
    const pages = new Set(entries.map((entry) => /([\w-]+)\.tsx/.exec(entry)?.[1] ?? entry))
    return isFor(pages) ? name : null
  }
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
const withoutInjectedStyles = {
  name: 'without-injected-styles',
  transform: (code: string, id: string) =>
    id.includes('/react-zoom-pan-pinch/') ? code.replace('styleInject(css_248z);', '') : undefined,
}

/** The form's module imports it for the browser; the server, which has the module too, would parse half a megabyte. */
const withoutBrowserReact: Plugin = {
  name: 'without-browser-react',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'ssr',
  transform: (_code, id) => (/\/react-dom\/client\.js$/.test(id) ? 'module.exports = {}' : undefined),
}

/** zip files with Node's checksum, which takes a twentieth of the time of the one in JavaScript. */
const nativeChecksum = {
  name: 'native-checksum',
  transform: (code: string, id: string) =>
    id.includes('/yazl/') ? code.replace('require("buffer-crc32")', '{ unsigned: zlib.crc32 }') : undefined,
}

/**
 * React keeps the page that it renders in an AsyncLocalStorage, for hints from asynchronous code, which no page of ours
 * gives. The first page would make every promise of the process slower until its end.
 */
const withoutAsyncHooks = {
  name: 'without-async-hooks',
  transform: (code: string, id: string) =>
    id.includes('/react-dom-server.node.')
      ? code.replace(
          'new async_hooks.AsyncLocalStorage()',
          '{ run: (_, work, ...given) => work(...given), getStore() {} }',
        )
      : undefined,
}

// The whole server (API, pages, command-line tools) is one module graph, so that React Router's context
// keys exist once. It contains its packages, which halves the start. Only package.json's `dependencies`, which have
// binaries or files of their own, come from node_modules.
export default defineConfig(({ command }) => {
  const isBuild = command === 'build'
  return {
    plugins: [
      productionRouter,
      tailwindcss(),
      reactRouter(),
      withoutInjectedStyles,
      nativeChecksum,
      withoutAsyncHooks,
      withoutBrowserReact,
      offlineWorker,
    ],
    optimizeDeps: { entries: ['./src/web/**/*.{ts,tsx}'] },
    environments: {
      client: {
        build: { rolldownOptions: { output: { codeSplitting: { groups: sharedChunks } } } },
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
