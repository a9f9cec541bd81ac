import {
  type AccountScope,
  classesOf,
  componentsOf,
  mayDo,
  type Permission,
} from '#shared/people/permissions.ts'
import { isComponent, type NstpComponent } from '#shared/students/student-choices.ts'
import { type FieldClass, fieldClasses } from '#shared/students/student-fields.ts'

/** Not exported, so that nothing else is an `Access`. */
class OfAccount {
  // Can be sent to another thread.
  readonly account: AccountScope
  readonly components: 'all' | readonly NstpComponent[]
  readonly seesAll: boolean
  readonly #classes: readonly FieldClass[]
  readonly #may: (permission: Permission) => boolean

  constructor(account: AccountScope, may: (permission: Permission) => boolean) {
    this.account = { role: account.role, components: account.components }
    this.components = componentsOf(account)
    this.#classes = classesOf[account.role]
    this.seesAll = this.#classes.length === fieldClasses.length
    this.#may = may
  }

  can(permission: Permission): boolean {
    return this.#may(permission)
  }

  sees(fieldClass: FieldClass): boolean {
    return this.#classes.includes(fieldClass)
  }

  includes(component: string): boolean {
    return this.components === 'all' || (isComponent(component) && this.components.includes(component))
  }
}

/**
 * What somebody may see and do: asked for by everything that reads or changes students, so that it isn't forgotten.
 * The guards of routes make it; dependency-cruiser lists who else.
 */
export type Access = OfAccount

export function accessOf(account: AccountScope): Access {
  return new OfAccount(account, (permission) => mayDo(account, permission))
}

/** An API token opens the e-mail calls alone, and no field beyond those that everybody of the office sees. */
export const accessOfToken: Access = new OfAccount({ role: 'registrar', components: [] }, () => false)

/** The product's own work. */
export const officeItself: Access = accessOf({ role: 'administrator', components: [] })
