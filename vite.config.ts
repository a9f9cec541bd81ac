import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

// What every page loads, in two files instead of a dozen: small files compress badly and each costs a request.
// The second holds our own parts of that; what only some pages use doesn't belong there.
const sharedChunks = [
  { name: 'core', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
  {
    name: 'frame',
    test: matching([
      'vite/preload-helper',
      'lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared/.+|icons/menu)',
      'src/web/lib/(api-problem|kept-page|next-path|nonce|page-meta|program-time|site|live(-connection|-revalidation)?)',
      'src/web/components/(avatar|brand|button|error-banner|kept-page-notice|skeleton|sun-mark|toaster)',
      'src/web/features/registration/(draft-key|enlisted-notice)',
      'src/web/features/shell/(failure|failure-page|public-.+|site-brand|skip-link|home-or-dashboard)',
    ]),
  },
  // What the pages with content share, home above all, one small part with another.
  {
    name: 'content',
    test: matching([
      'lucide-react/dist/esm/icons/(arrow-right|calendar-days|check|chevron-left|chevron-right|file-check-(2|corner)|lock-keyhole|megaphone|paperclip|pin|smartphone|users|wifi-off)',
      'src/shared/(announcements|student-choices)',
      'src/web/components/(badge|empty-state|picture)',
      'src/web/lib/(component-tones|instant-texts|section)',
      'src/web/features/announcements/(announcement-(card|cards|facts|picture)|announcements-address|category-badge|load-failure|no-announcements|pinned-mark)',
      'src/web/features/programs/programs',
      'src/web/features/slideshow/turn',
    ]),
  },
  // What the forms of visitors and of the login are made of, for the same reason.
  {
    name: 'controls',
    test: matching(['src/web/components/(field|text-field|password-field)', 'src/web/lib/hydrated']),
  },
]

/** Modules by their paths without extension. */
function matching(paths: readonly string[]): RegExp {
  return new RegExp(`(${paths.join('|')})(\\.[a-z]+)?$`)
}

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
