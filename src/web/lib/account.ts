import { createContext, useContext } from 'react'
import type { SessionUser } from '#shared/auth/session.ts'
import { componentsOf, mayDo, type Permission } from '#shared/people/permissions.ts'
import { classOf, fieldClasses } from '#shared/students/student-fields.ts'
import { adminPath, rollPath } from './next-path.ts'

export interface Account {
  id: string
  can: (permission: Permission) => boolean
  /** @param member a field of a record, or another of its members */
  sees: (member: string) => boolean
  seesAll: boolean
  /** Whether its work is with students of the component. */
  includes: (component: string) => boolean
}

type AccountUser = Pick<SessionUser, 'id' | 'role' | 'components' | 'classes'>

export function accountOf({ id, role, components, classes }: AccountUser): Account {
  const own = componentsOf({ role, components })
  return {
    id,
    can: (permission) => mayDo({ role, components }, permission),
    sees: (member) => classes.some((ofClass) => ofClass === classOf(member)),
    seesAll: classes.length === fieldClasses.length,
    includes: (component) => own === 'all' || own.some((one) => one === component),
  }
}

/** Where an account begins: a facilitator has no dashboard. */
export const startPathOf = ({ can }: Pick<Account, 'can'>): string => (can('roll') ? rollPath : adminPath)

const AccountContext = createContext(
  accountOf({ id: '', role: 'administrator', components: [], classes: [...fieldClasses] }),
)

export const AccountProvider = AccountContext.Provider

/** What the signed-in person may do: the server decides, a screen leaves out what it would refuse. */
export function useAccount(): Account {
  return useContext(AccountContext)
}
