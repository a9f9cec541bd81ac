import { createContext, useContext } from 'react'
import type { Enlisting } from '#shared/site/calls-to-action.ts'
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

export const EnlistingContext = createContext<Enlisting>({ isOpen: true, full: [] })

export function useEnlisting(): Enlisting {
  return useContext(EnlistingContext)
}

// Not beside the texts of dates: every page provides it, and few need those.
export const ProgramTimeZone = createContext('Asia/Manila')
