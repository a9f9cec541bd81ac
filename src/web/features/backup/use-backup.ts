import { useState } from 'react'
import { api } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { saveDownload } from '#web/lib/save-download.ts'

/** How a backup stands. */
export type BackupState =
  | { kind: 'idle' }
  | { kind: 'running'; bytes: number }
  | { kind: 'done'; bytes: number }
  | { kind: 'failed'; sentence: string }

const brokenOff =
  'The backup broke off before its end, and no file was saved. Please check your connection and try again.'

/** Makes a backup and saves it as a file of this computer. */
export function useBackup() {
  const [state, setState] = useState<BackupState>({ kind: 'idle' })

  /** @returns whether it was saved */
  async function start(passphrase: string | undefined): Promise<boolean> {
    let bytes = 0
    const show = (arrived: number) => {
      bytes = arrived
      setState({ kind: 'running', bytes })
    }
    show(0)
    try {
      const response = await api.backup.$post({ json: passphrase === undefined ? {} : { passphrase } })
      await saveDownload(response, 'NSTP Portal backup.nstp', show)
      setState({ kind: 'done', bytes })
      return true
    } catch (error) {
      // What isn't the API's refusal is a download that was cut.
      setState({ kind: 'failed', sentence: error instanceof ApiProblem ? error.message : brokenOff })
      return false
    }
  }

  return { state, start }
}
