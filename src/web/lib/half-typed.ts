/**
 * Whether a date or a time is typed in part. Its control holds nothing then, as if the person had left it empty.
 *
 * @param id of the control
 */
export function isHalfTyped(id: string): boolean {
  const control = document.getElementById(id)
  return control instanceof HTMLInputElement && control.validity.badInput
}
