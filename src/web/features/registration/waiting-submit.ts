import { registrationSentences } from './registration-sentences.ts'

/**
 * Shows on a served form that it is being sent, before there are scripts to do so.
 *
 * @returns makes the button again what the server sent
 */
export function showWaiting(form: HTMLFormElement): () => void {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]')
  if (!button) return () => undefined
  const label = button.textContent
  button.disabled = true
  button.textContent = registrationSentences.sending
  return () => {
    button.disabled = false
    button.textContent = label
  }
}

/**
 * Says over a served form's button that there is no connection, until there is one.
 *
 * @returns takes it away, so that the form is again what the server sent
 */
export function showOffline(form: HTMLFormElement): () => void {
  const notice = document.createElement('p')
  notice.role = 'alert'
  notice.className = 'rounded-box bg-warning-soft px-4 py-3 text-warning'
  notice.textContent = registrationSentences.offline
  form.querySelector('button[type="submit"]')?.parentElement?.before(notice)
  const hide = () => notice.remove()
  window.addEventListener('online', hide, { once: true })
  return hide
}
