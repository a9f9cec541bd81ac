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
