// The server's side of WebSockets, for tests that connect to one.
export { WebSocketServer } from 'ws'
