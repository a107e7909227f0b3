import theme from 'vitepress/theme-without-fonts'
// Behind the theme's own, which it changes values of.
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no name
import './style.css'

export default theme
