// Runs before the first paint, so that a chosen theme does not flash the other one. src/shell/theme.ts writes the key.
try {
  const theme = localStorage.getItem('flamegate.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is forbidden: the system's theme stays.
}
