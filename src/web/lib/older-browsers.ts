/*
 * What browsers of the promise (browsers.json) miss, or any browser misses over plain http, each with its older way.
 */

/** `crypto.randomUUID` needs https. A browser at an office with ALLOW_HTTP has only `getRandomValues`. */
export function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // The marks of version 4.
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6)
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8)
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** `AbortSignal.timeout`. */
export function timeLimit(ms: number): AbortSignal {
  const end = new AbortController()
  setTimeout(() => end.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError')), ms)
  return end.signal
}

/** Whether an element takes room on the page, as `checkVisibility` says. */
export function isShown(element: Element): boolean {
  return element.getClientRects().length > 0
}

/** `URL.canParse` and the address. @returns null for what is none */
export function readAddress(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Submits a form as its button does, with the browser's checks and the event. */
export function submitForm(form: HTMLFormElement): void {
  if (form.requestSubmit) {
    form.requestSubmit()
    return
  }
  const button = document.createElement('button')
  button.hidden = true
  form.append(button)
  button.click()
  button.remove()
}

/** Opens a modal dialog. In a browser that can't, the dialog covers the page all the same. */
export function openDialog(dialog: HTMLDialogElement): void {
  if (dialog.showModal) dialog.showModal()
  else dialog.setAttribute('open', '')
}

export function closeDialog(dialog: HTMLDialogElement): void {
  if (dialog.close) dialog.close()
  else dialog.removeAttribute('open')
}

/** Over plain http, where browsers have no clipboard, by a selection. @returns whether it was copied */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    return false
  }
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'sr-only'
  // A dialog takes the focus back from what lies outside.
  const place = focused?.closest('[role="dialog"], dialog') ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
