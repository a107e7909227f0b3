"""The part of a search that renders the answer; every tenth is a long one: `render.py <file for its profile>`."""

import cProfile
import http.server
import json
import sys
import urllib.parse

running = True


def render_rows(count):
    rows = []
    for number in range(count):
        rows.append("<tr><td>" + str(number * 7 % 13) + "</td></tr>")
    return "".join(rows)


def render_report(count):
    total = 0
    for number in range(count):
        total = (total * 31 + number) % 1000003
    return str(total)


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global running
        url = urllib.parse.urlparse(self.path)
        if url.path == "/stop":
            running = False
            body = ""
        else:
            number = int(urllib.parse.parse_qs(url.query)["number"][0])
            body = render_rows(300) + (render_report(500_000) if number % 10 == 0 else "")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Page)
print(json.dumps({"port": server.server_address[1]}), flush=True)
profile = cProfile.Profile()
profile.enable()
while running:
    server.handle_request()
profile.disable()
profile.dump_stats(sys.argv[1])
