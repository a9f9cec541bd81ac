/**
 * Puts one form's answers into another copy of it. React makes a new form when the served one doesn't fit any
 * more, which translators and extensions of the browser can cause; what was typed before must not go with it.
 */
export function copyAnswers(from: HTMLFormElement, to: HTMLFormElement): void {
  const answers = new FormData(from)
  for (const control of to.elements) {
    if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) {
      control.checked = answers.getAll(control.name).includes(control.value)
    } else if (isTyped(control)) {
      const answer = answers.get(control.name)
      if (typeof answer === 'string') control.value = answer
    }
  }
  to.dispatchEvent(new Event('input', { bubbles: true }))
}

function isTyped(control: Element) {
  return (
    control instanceof HTMLInputElement ||
    control instanceof HTMLSelectElement ||
    control instanceof HTMLTextAreaElement
  )
}
