/** The panes of the e-mail tab, by the value of the query's `pane`. The first three are the tabs of spec §2. */
export const emailPanes = ['single', 'bulk', 'server', 'outbox', 'returned'] as const
export type EmailPane = (typeof emailPanes)[number]

/** The pane that a query selects; an unknown value is the first. */
export function emailPaneOf(search: URLSearchParams): EmailPane {
  const wanted = search.get('pane')
  return emailPanes.find((pane) => pane === wanted) ?? 'single'
}
