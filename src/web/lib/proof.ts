let ask: () => Promise<boolean> = () => Promise.resolve(false)
let pending: Promise<boolean> | null = null

/** @returns the cleanup */
export function onProofNeeded(show: () => Promise<boolean>): () => void {
  ask = show
  return () => {
    ask = () => Promise.resolve(false)
  }
}

/** Asks once for several calls at the same time. @returns whether the password was given */
export function askForProof(): Promise<boolean> {
  pending ??= ask().finally(() => {
    pending = null
  })
  return pending
}
