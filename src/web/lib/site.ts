import { createContext, useContext } from 'react'
import type { EnlistmentAvailability } from '#shared/site/calls-to-action.ts'
import { productName, type Site } from '#shared/site/site.ts'

export const SiteContext = createContext<Site>({
  systemName: productName,
  schoolName: '',
  logoUrl: null,
  enlistment: null,
  recordRetentionYears: 0,
})

export function useSite(): Site {
  return useContext(SiteContext)
}

export const EnlistmentAvailabilityContext = createContext<EnlistmentAvailability>({ isOpen: true, full: [] })

export function useEnlistmentAvailability(): EnlistmentAvailability {
  return useContext(EnlistmentAvailabilityContext)
}

// Not beside the texts of dates: every page provides it, and few need those.
export const ProgramTimeZone = createContext('Asia/Manila')
