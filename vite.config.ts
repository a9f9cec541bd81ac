import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

// What every page loads, in two files instead of a dozen: small files compress badly and each costs a request.
// The second holds our own parts of that; what only some pages use doesn't belong there.
const sharedChunks = [
  { name: 'core', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
  {
    name: 'frame',
    test: /vite\/preload-helper|src\/web\/((lib\/(api-problem|nonce|page-meta|program-time|site|live(-connection|-revalidation)?)|features\/registration\/draft-key)\.|components\/(button|toaster|brand|sun-mark|avatar)|features\/shell\/(failure-page|public-|site-brand|skip-link|home-or))/,
  },
  // The pictures of the home page, which other screens share one by one.
  {
    name: 'pictures',
    test: /lucide-react\/dist\/esm\/icons\/(arrow-right|calendar-days|check|file-check-2|file-check-corner|lock-keyhole|smartphone|users|wifi-off)\./,
  },
  // What the forms of visitors and of the login are made of, for the same reason.
  {
    name: 'controls',
    test: /src\/web\/(components\/(field|text-field|password-field|error-banner)|lib\/hydrated)\./,
  },
]

// The whole server (API, pages, command-line tools) is one module graph, so that React Router's context
// keys exist once. Node packages stay outside the bundle and come from node_modules.
export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  optimizeDeps: { entries: ['./src/web/**/*.{ts,tsx}'] },
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: sharedChunks } } } },
    },
    ssr: {
      // Written for bundlers: Node can't resolve its modules by themselves.
      resolve: { noExternal: [/^@atlaskit\//, 'bind-event-listener', 'raf-schd', /^@babel\/runtime\//] },
      build: {
        rollupOptions: {
          input: {
            index: './src/server/main.ts',
            admin: './src/server/cli/admin.ts',
            backup: './src/server/cli/backup.ts',
            restore: './src/server/cli/restore.ts',
          },
        },
      },
    },
  },
})
