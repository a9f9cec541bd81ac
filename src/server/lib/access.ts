import { type AccountScope, classesOf, mayDo, type Permission } from '#shared/people/permissions.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { type FieldClass, fieldClasses } from '#shared/students/student-fields.ts'

/** What somebody may see and do. Not exported: the functions below alone make one. */
class OfAccount {
  readonly #may: (permission: Permission) => boolean
  readonly components: 'all' | readonly NstpComponent[]
  readonly classes: readonly FieldClass[]

  constructor(
    may: (permission: Permission) => boolean,
    components: readonly NstpComponent[],
    classes: readonly FieldClass[],
  ) {
    this.#may = may
    this.components = components.length === 0 ? 'all' : components
    this.classes = classes
  }

  can(permission: Permission): boolean {
    return this.#may(permission)
  }
}

export type Access = OfAccount

export function accessOf({ role, components }: AccountScope): Access {
  return new OfAccount((permission) => mayDo(role, permission), components, classesOf[role])
}

/** An API token opens the e-mail calls, and no field beyond those that everybody of the office sees. */
export const accessOfToken: Access = new OfAccount(() => false, [], ['basic'])

/** The product's own work: the mail worker, the clean-up, the command line, quotas. */
export const officeItself: Access = new OfAccount(() => true, [], fieldClasses)
