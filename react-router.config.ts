import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  ssr: true,
  // The server's build is several programs, each under the name that vite.config.ts gives it.
  serverBuildFile: '[name].js',
  // The server has checked where a post comes from (http/same-origin.ts), knowing about the proxy before it.
  // React Router would compare with the plain http address behind the proxy and refuse everybody.
  allowedActionOrigins: ['**'],
  future: { v8_middleware: true, v8_splitRouteModules: true, v8_viteEnvironmentApi: true },
} satisfies Config
