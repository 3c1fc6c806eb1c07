using System.Collections.Generic;
using System.Text;
using Signet.Client.Protocol;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>What programs pass in becomes JSON, or an error before anything is sent.</summary>
public sealed class RequestJsonTests
{
    [Fact]
    public void Plain_values_are_written_and_missing_ones_left_out()
    {
        Dictionary<string, object?> values = new()
        {
            ["text"] = "Zoë \"🦭\"\n",
            ["number"] = 12,
            ["fraction"] = 0.5,
            ["flag"] = true,
            ["none"] = null,
            ["list"] = new object?[] { 1L, "a", new List<int> { 2 } },
        };
        string json = Encoding.UTF8.GetString(RequestJson.Body(("a", null), ("b", values)));
        Assert.Equal(
            """{"b":{"text":"Zoë \"🦭\"\n","number":12,"fraction":0.5,"flag":true,"none":null,"list":[1,"a",[2]]}}"""
                .Replace("🦭", "\\uD83E\\uDDAD"),
            json);
    }

    [Fact]
    public void Dictionaries_of_any_values_are_objects()
    {
        Dictionary<string, object?> values = new()
        {
            ["texts"] = new Dictionary<string, string> { ["a"] = "b" },
            ["numbers"] = new Dictionary<string, int> { ["c"] = 1 },
            ["more"] = new[] { new Dictionary<string, List<string>> { ["d"] = new() { "e" } } },
        };
        string json = Encoding.UTF8.GetString(RequestJson.Body(("x", values)));
        Assert.Equal("{\"x\":{\"texts\":{\"a\":\"b\"},\"numbers\":{\"c\":1},\"more\":[{\"d\":[\"e\"]}]}}", json);
    }

    [Fact]
    public void Values_that_JSON_lacks_are_rejected()
    {
        List<object?> cycle = new();
        cycle.Add(cycle);
        foreach (object value in new object[] { "\uD800", double.NaN, new object(), new Dictionary<int, string> { [1] = "a" }, cycle })
        {
            SignetException error = Assert.Throws<SignetException>(() => RequestJson.Body(("a", value)));
            Assert.Equal(SignetCode.MalformedRequest, error.Code);
        }
    }
}
