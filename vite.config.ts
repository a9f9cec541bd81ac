import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import packageJson from './package.json' with { type: 'json' }
import browsers from './src/web/browsers.json' with { type: 'json' }

/** Syntax is rewritten for them; functions and rules are the check's (scripts/check-browsers.mjs). */
const oldestBrowsers = Object.entries(browsers.usable).map(([name, version]) => `${name}${version}`)

/** The frame of the office, and the dashboard with its panels that come later. */
const officeEntries = ['admin', 'dashboard-tab', 'due-papers', 'this-term']

// Without these groups each set of users gets files of its own, most of them of one icon: twice the requests (decision 040).
const sharedChunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
  shared('site', (users) => [...users].some(isPublicPage)),
  // What the page of a student has in common with the office: it loads nothing else of that.
  shared('my', (users) => [...users].some((user) => user === 'my' || user.startsWith('my-'))),
  shared('office', (users) => officeEntries.some((entry) => users.has(entry))),
  { name: 'form', test: /node_modules\/(react-hook-form|@hookform|zod)\/|components\/form\.tsx/ },
  shared('screens', (users) => users.has('students-tab')),
]

/** A chunk for the modules that are imported by certain pages, or by parts of pages that are loaded later. */
function shared(name: string, isFor: (users: ReadonlySet<string>) => boolean) {
  return {
    name(id: string, modules: Rolldown.ChunkingContext) {
      const ids = new Set([id])
      const users = new Set<string>()
      for (const reached of ids) {
        const module = modules.getModuleInfo(reached)
        if (module?.isEntry || module?.dynamicImporters.length)
          users.add(basename(reached.split('?', 1)[0] ?? '', '.tsx'))
        for (const importer of module?.importers ?? []) ids.add(importer)
      }
      return users.size > 1 && isFor(users) ? name : null
    },
  }
}

const publicPages =
  'root public-layout home register registration-confirmation login announcements announcement programs faq contact privacy terms unsubscribe'.split(
    ' ',
  )

function isPublicPage(user: string): boolean {
  return publicPages.includes(user)
}

/** The service workers of roll and form, each as one file; that of the form with the scripts that its page doesn't name. */
const offlineWorkers: Plugin = {
  name: 'offline-workers',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  buildStart() {
    this.emitFile({ type: 'chunk', id: './src/worker/offline-form.ts', fileName: 'sw.js' })
    this.emitFile({ type: 'chunk', id: './src/worker/offline-roll.ts', fileName: 'roll-sw.js' })
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

// The whole server (API, pages, command-line tools) is one module graph, so that React Router's context
// keys exist once. It contains its packages, which halves the start. Only package.json's `dependencies`, which have
// binaries or files of their own, come from node_modules.
export default defineConfig(({ command }) => {
  const isBuild = command === 'build'
  return {
    plugins: [tailwindcss(), reactRouter(), offlineWorkers],
    // The stylesheet is inlined by the server.
    build: { cssTarget: oldestBrowsers },
    optimizeDeps: { entries: ['./src/web/**/*.{ts,tsx}'] },
    environments: {
      client: {
        build: {
          target: oldestBrowsers,
          rolldownOptions: {
            output: { codeSplitting: { groups: sharedChunks } },
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
