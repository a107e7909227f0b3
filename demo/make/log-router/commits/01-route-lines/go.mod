module example.com/log-router

go 1.19
