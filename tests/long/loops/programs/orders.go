// Works through orders in four steps, three of which have a quicker form: `-quick main.distinctCustomers`.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime/pprof"
	"strings"
	"time"
)

type order struct {
	customer string
	amount   int
}

//go:noinline
func distinctCustomers(orders []order) int {
	var seen []string
next:
	for _, each := range orders {
		for _, customer := range seen {
			if customer == each.customer {
				continue next
			}
		}
		seen = append(seen, each.customer)
	}
	return len(seen)
}

//go:noinline
func distinctCustomersByMap(orders []order) int {
	seen := map[string]bool{}
	for _, each := range orders {
		seen[each.customer] = true
	}
	return len(seen)
}

//go:noinline
func smallestGap(orders []order) int {
	smallest := math.MaxInt
	for one := range orders {
		for two := one + 1; two < len(orders); two++ {
			gap := orders[one].amount - orders[two].amount
			if gap < 0 {
				gap = -gap
			}
			if gap < smallest {
				smallest = gap
			}
		}
	}
	return smallest
}

//go:noinline
func smallestGapByCounting(orders []order) int {
	seen := map[int]bool{}
	for _, each := range orders {
		if seen[each.amount] {
			return 0
		}
		seen[each.amount] = true
	}
	return 1
}

//go:noinline
func countPairs(orders []order) int {
	pairs := 0
	for one := range orders {
		for two := one + 1; two < len(orders); two++ {
			if orders[one].amount == orders[two].amount {
				pairs++
			}
		}
	}
	return pairs
}

//go:noinline
func countPairsByAmount(orders []order) int {
	counts := map[int]int{}
	pairs := 0
	for _, each := range orders {
		pairs += counts[each.amount]
		counts[each.amount]++
	}
	return pairs
}

//go:noinline
func priceOrders(orders []order, times int) int {
	sum := 0.0
	for time := 0; time < times; time++ {
		for _, each := range orders {
			sum += math.Sqrt(float64(each.amount + time))
		}
	}
	return int(sum)
}

func main() {
	quick := flag.String("quick", "", "functions, as profiles name them")
	work := flag.String("work", "planted", "planted or even")
	profile := flag.String("profile", "", "file for a CPU profile")
	offers := flag.Bool("offers", false, "say which functions have a quicker form")
	flag.Parse()
	if *offers {
		_ = json.NewEncoder(os.Stdout).Encode([]string{"main.distinctCustomers", "main.smallestGap", "main.countPairs"})
		return
	}
	isQuick := func(name string) bool { return strings.Contains(","+*quick+",", ",main."+name+",") }
	form := func(name string, slow, fast func([]order) int) func([]order) int {
		if isQuick(name) {
			return fast
		}
		return slow
	}
	orders := make([]order, 6000)
	for id := range orders {
		orders[id] = order{customer: fmt.Sprintf("customer %06d", id), amount: (id * 7919) % 5003}
	}
	rounds := map[string]int{"distinctCustomers": 12, "smallestGap": 2, "countPairs": 2, "priceOrders": 1000}
	if *work == "even" {
		rounds = map[string]int{"distinctCustomers": 4, "smallestGap": 14, "countPairs": 14, "priceOrders": 9000}
	}
	if *profile != "" {
		file, err := os.Create(*profile)
		if err != nil {
			panic(err)
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			panic(err)
		}
		defer file.Close()
		defer pprof.StopCPUProfile()
	}
	startedAt := time.Now()
	result := 0
	for round := 0; round < rounds["distinctCustomers"]; round++ {
		result += form("distinctCustomers", distinctCustomers, distinctCustomersByMap)(orders)
	}
	for round := 0; round < rounds["smallestGap"]; round++ {
		result += form("smallestGap", smallestGap, smallestGapByCounting)(orders)
	}
	for round := 0; round < rounds["countPairs"]; round++ {
		result += form("countPairs", countPairs, countPairsByAmount)(orders)
	}
	result += priceOrders(orders, rounds["priceOrders"])
	fmt.Printf("{\"ms\": %f, \"result\": %d}\n", float64(time.Since(startedAt).Microseconds())/1000, result)
}
