/** Whether anything stands in the form that didn't come with the page. */
export function hasAnswers(form: HTMLFormElement): boolean {
  return [...form.elements].some((control) => {
    if (control instanceof HTMLSelectElement) return control.value !== initialChoice(control)
    if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
    if (!(control instanceof HTMLInputElement)) return false
    const isTick = control.type === 'checkbox' || control.type === 'radio'
    return isTick ? control.checked !== control.defaultChecked : control.value !== control.defaultValue
  })
}

/** The choice that a list came with. */
export function initialChoice({ options }: HTMLSelectElement): string {
  return ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
}
