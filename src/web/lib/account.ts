import { createContext, useContext } from 'react'
import type { SessionUser } from '#shared/auth/session.ts'
import { mayDo, type Permission } from '#shared/people/permissions.ts'
import { classOf, fieldClasses } from '#shared/students/student-fields.ts'

export interface Account {
  id: string
  can: (permission: Permission) => boolean
  /** @param member a field of a record, or another of its members */
  sees: (member: string) => boolean
  seesAll: boolean
}

export function accountOf({ id, role, classes }: Pick<SessionUser, 'id' | 'role' | 'classes'>): Account {
  return {
    id,
    can: (permission) => mayDo(role, permission),
    sees: (member) => classes.includes(classOf(member)),
    seesAll: classes.length === fieldClasses.length,
  }
}

const AccountContext = createContext(accountOf({ id: '', role: 'administrator', classes: [...fieldClasses] }))

export const AccountProvider = AccountContext.Provider

/** What the signed-in person may do: the server decides, a screen leaves out what it would refuse. */
export function useAccount(): Account {
  return useContext(AccountContext)
}
