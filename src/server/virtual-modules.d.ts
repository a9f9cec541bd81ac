// The pages, compiled into the server's bundle by React Router's Vite plug-in.
declare module 'virtual:react-router/server-build' {
  const build: import('react-router').ServerBuild
  export = build
}
