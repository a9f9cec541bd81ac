// Reloading asks the network, and without one fails although the browser has a copy. Asked for without a reload, the copy
// is given for as long as it is fresh.
addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => fetch(request.url)))
})
