import type { RecipientWay } from './bulk-values.ts'

/** The controls of the form. Their names are those of other parts of the page too. */
export const fieldIds = {
  subject: 'bulk-subject',
  template: 'bulk-template',
  body: 'bulk-body',
  list: 'bulk-list',
  file: 'bulk-file',
  component: 'bulk-component',
} as const

/** Puts the focus on the control that a problem is about. */
export function focusField(path: string, way: RecipientWay): void {
  const id =
    path === 'recipients'
      ? { students: fieldIds.component, list: fieldIds.list, file: fieldIds.file }[way]
      : path === 'subject' || path === 'template'
        ? fieldIds[path]
        : fieldIds.body
  document.getElementById(id)?.focus()
}
