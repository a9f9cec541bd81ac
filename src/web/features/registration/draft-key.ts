/** Where the browser's storage keeps the draft. */
export const draftKey = 'nstp-enlistment-draft'

/** Whether this device keeps a draft, however old: a reason to load the form's scripts. */
export function keepsDraft(): boolean {
  try {
    return localStorage.getItem(draftKey) !== null
  } catch {
    // The browser gives no storage to this page: then nothing was kept.
    return false
  }
}
