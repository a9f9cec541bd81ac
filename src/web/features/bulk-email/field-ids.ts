import type { RecipientWay } from './bulk-values.ts'

/** The controls of the form. Their names are those of other parts of the page too. */
export const fieldIds = {
  way: 'bulk-way',
  subject: 'bulk-subject',
  template: 'bulk-template',
  body: 'bulk-body',
  list: 'bulk-list',
  file: 'bulk-file',
  component: 'bulk-component',
} as const

/** Puts the focus on the control that a problem is about. */
export function focusField(path: string, way: RecipientWay | null): void {
  const id =
    path === 'recipients'
      ? { none: fieldIds.way, students: fieldIds.component, list: fieldIds.list, file: fieldIds.file }[
          way ?? 'none'
        ]
      : path === 'subject' || path === 'template'
        ? fieldIds[path]
        : fieldIds.body
  const control = document.getElementById(id)
  const target = control instanceof HTMLFieldSetElement ? control.querySelector('button') : control
  target?.focus()
}
