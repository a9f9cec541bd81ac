import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

// The whole server (API, pages, command-line tools) is one module graph, so that React Router's context
// keys exist once. Node packages stay outside the bundle and come from node_modules.
export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  optimizeDeps: { entries: ['./src/web/**/*.{ts,tsx}'] },
  environments: {
    ssr: {
      build: {
        rollupOptions: {
          input: { index: './src/server/main.ts', admin: './src/server/cli/admin.ts' },
        },
      },
    },
  },
})
