export function ServerTest(_props: { isConfigured: boolean }) {
  return null
}
