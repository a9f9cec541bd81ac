export function SingleEmail(_props: { disabled: boolean }) {
  return null
}
