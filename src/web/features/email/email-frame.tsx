import type { ReactNode } from 'react'
import type { EmailPane } from '#web/lib/email-pane.ts'
import type { EmailFrameData } from './email-data.ts'

interface EmailFrameProps {
  pane: EmailPane
  data: EmailFrameData | null
  failed: boolean
  onChange: () => void
  children: ReactNode
}

export function EmailFrame({ children }: EmailFrameProps) {
  return (
    <>
      <h1>Email System</h1>
      {children}
    </>
  )
}
