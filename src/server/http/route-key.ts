const idInPath = /\/[0-9a-f]{8}-[0-9a-f-]{27}(?=\/|$)/g

/** What limits are looked up by before any route is matched: 'PATCH /api/slides/:id'. */
export function routeKey(method: string, path: string): string {
  return `${method} ${path.replace(idInPath, '/:id')}`
}
